package dev.exactlyonce.rest;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the type variables of a class's superclasses and interfaces stand for in the class. */
final class Generics {
    private final Map<TypeVariable<?>, Type> arguments = new HashMap<>();

    private Generics() {}

    static Generics of(Class<?> type) {
        Generics generics = new Generics();
        generics.addAbove(type);
        return generics;
    }

    private void addAbove(Class<?> type) {
        add(type.getGenericSuperclass());
        for (Type it : type.getGenericInterfaces()) {
            add(it);
        }
    }

    private void add(@Nullable Type above) {
        if (above instanceof ParameterizedType it && it.getRawType() instanceof Class<?> raw) {
            for (int i = 0; i < raw.getTypeParameters().length; i++) {
                arguments.put(raw.getTypeParameters()[i], it.getActualTypeArguments()[i]);
            }
            addAbove(raw);
        } else if (above instanceof Class<?> raw) {
            addAbove(raw);
        }
    }

    /** The type, or what stands for it if it is a variable. */
    Type resolve(Type type) {
        Type resolved = type;
        for (int i = 0; i <= arguments.size() && resolved instanceof TypeVariable<?> variable; i++) {
            Type next = arguments.get(variable);
            if (next == null) {
                return resolved;
            }
            resolved = next;
        }
        return resolved;
    }

    /** The class behind a type; a variable that stands for nothing is its bound. */
    Class<?> erase(Type type) {
        Type resolved = resolve(type);
        if (resolved instanceof Class<?> it) {
            return it;
        }
        if (resolved instanceof ParameterizedType it) {
            return erase(it.getRawType());
        }
        if (resolved instanceof TypeVariable<?> it) {
            return erase(it.getBounds()[0]);
        }
        if (resolved instanceof WildcardType it) {
            return erase(it.getUpperBounds()[0]);
        }
        return resolved instanceof GenericArrayType ? Object[].class : Object.class;
    }
}
